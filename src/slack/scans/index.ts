/** The scans feature: searches among the scans kept here. */
import type { Feature } from '../bolt/routing/feature.js';
import {
  fillSavedSearch,
  searchAnyTime,
  searchChanged,
  searchFurther,
  searchLive,
  searchMore,
  searchPage,
  searchShared,
  searchSubmitted,
} from './actions.js';
import { nameOptions } from './name-pickers.js';
import { savedDelete, savedList, savedRename, savedRenamed, searchSave, searchSaved } from './saved-actions.js';
import { scansShortcut, scansSubcommand } from './scans-command.js';

export const scans: Feature = {
  commands: { '/scandesk': [scansSubcommand] },
  listeners: [
    scansShortcut,
    searchSubmitted,
    fillSavedSearch,
    searchMore,
    searchLive,
    ...nameOptions,
    searchPage,
    searchFurther,
    searchAnyTime,
    searchChanged,
    searchShared,
    searchSave,
    searchSaved,
    savedList,
    savedRename,
    savedRenamed,
    savedDelete,
  ],
};

/** The scans feature: search in what is kept here. */
import type { Feature } from '../bolt/routing/feature.js';
import {
  searchChanged,
  searchFilled,
  searchFurther,
  searchMore,
  searchPage,
  searchShareAgreed,
  searchShared,
  searchSubmitted,
} from './actions.js';
import { nameOptions } from './name-pickers.js';
import { savedDelete, savedList, savedRename, savedRenamed, searchSave, searchSaved } from './saved-actions.js';
import { scansShortcut } from './scans-command.js';

export const scans: Feature = {
  listeners: [
    scansShortcut,
    searchSubmitted,
    searchFilled,
    searchMore,
    ...nameOptions,
    searchPage,
    searchFurther,
    searchChanged,
    searchShared,
    searchShareAgreed,
    searchSave,
    searchSaved,
    savedList,
    savedRename,
    savedRenamed,
    savedDelete,
  ],
};

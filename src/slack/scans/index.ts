/** The scans feature: search in what is kept here. */
import type { Feature } from '../bolt/routing/feature.js';
import {
  searchChanged,
  searchFurther,
  searchPage,
  searchShareAgreed,
  searchShared,
  searchSubmitted,
} from './actions.js';

export const scans: Feature = {
  listeners: [searchSubmitted, searchPage, searchFurther, searchChanged, searchShared, searchShareAgreed],
};

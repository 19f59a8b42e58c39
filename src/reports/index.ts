/** The public interface of daily reports. */
export type { CountReportDeps, Gate, MissingPart, ReportContent, ReportGaps } from './count.js';
export { type DaySpan, nextDue, type ReportedDays } from './days.js';
export { type CountOf, countIn, type DayFigures, type Reason } from './figures.js';
export type { ReportNotice, ReportPost } from './publisher.js';
export {
  type Report,
  type ReportDay,
  type ReportFields,
  type ReportPause,
  type ReportSubject,
  reportDays,
  reportSubject,
} from './report.js';
export { createReportPosts, createReports, mostReports, type Reports } from './reports.js';
export { eraseReports } from './table.js';

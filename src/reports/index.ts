/** The public interface of daily reports. */
export type { CountReportDeps, Gate, MissingPart, ReportContent } from './count.js';
export { type DaySpan, nextDue } from './days.js';
export type { CountOf, DayFigures, Reason } from './figures.js';
export {
  type Report,
  type ReportDay,
  type ReportFields,
  type ReportPause,
  reportFields,
} from './report.js';
export type { ReportNotice, ReportPost } from './report-post.js';
export { createReports, mostReports, type Reports } from './reports.js';

/** LONG_SHARE, above 0: the part of the long tier's repetitions that is played. A night plays all; `.ci/run` a twentieth, for its time. */
export const longShare = Number(process.env.LONG_SHARE ?? 1);

/** How many of `repetitions` a long run plays: histories, kills, sizes. */
export const shareOf = (repetitions: number): number => Math.max(1, Math.ceil(repetitions * longShare));

/**
 * Loaded into the app's process ahead of the app, for tests: the wall clock runs wrong by as much as the parent says, as a
 * machine's does whose time is set. What measures spans (timers, performance.now) goes on undisturbed, as it does there.
 */
const RightDate = Date;
let offset = Number(process.env.CLOCK_WRONG_BY_MS);

globalThis.Date = class extends RightDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [RightDate.now() + offset] : parts));
  }

  static now() {
    return RightDate.now() + offset;
  }
};

process.on('message', (message) => {
  offset = message.moveClock;
  process.send?.('moved');
});
// The way to the parent must not keep the process alive when it is to end.
process.channel?.unref();

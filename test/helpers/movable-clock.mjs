/**
 * A preload module that shifts the app's wall clock by as much as the parent process says, like a machine whose time is
 * changed. Monotonic time (timers, performance.now) is unaffected.
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
// The IPC channel must not keep the process alive.
process.channel?.unref();

/**
 * A preload module that shifts the app's wall clock by as much as the parent process says, like a machine whose time is
 * changed: monotonic time is unaffected. Time that passes (`passTime`) moves performance.now too; timers never change.
 * A clock that begins held stands still until the first message, so that a slow start takes no time by it.
 */
const RightDate = Date;
let offset = Number(process.env.CLOCK_WRONG_BY_MS);
let held = process.env.CLOCK_HELD === '1' ? RightDate.now() + offset : undefined;

globalThis.Date = class extends RightDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [held ?? RightDate.now() + offset] : parts));
  }

  static now() {
    return held ?? RightDate.now() + offset;
  }
};

let passed = 0;
const rightNow = performance.now.bind(performance);
performance.now = () => rightNow() + passed;

process.on('message', ({ moveClock, passTime = 0 }) => {
  held = undefined;
  offset = moveClock ?? offset + passTime;
  passed += passTime;
  process.send?.('moved');
});
// The IPC channel must not keep the process alive.
process.channel?.unref();

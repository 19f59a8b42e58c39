import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../src/clock.js';
import { createLog } from '../src/log.js';
import { createRefusalLog, type Refusal } from '../src/refusal-log.js';

const refusal: Refusal = { level: 'warn', message: 'a scan was refused', code: 'relay.network' };

function setUp() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const time = { ms: 0 };
  const refusals = createRefusalLog({
    log,
    clock: { ...systemClock, steady: () => time.ms },
    senderOf: (request) => request.headers.from,
  });
  const refuse = (from?: string, changes: Partial<Refusal> = {}) =>
    refusals.add({ headers: { from } } as IncomingMessage, { ...refusal, ...changes });
  return { lines, time, refuse };
}

describe('refused requests', () => {
  it('the log has one line a minute for a refused sender, with the number of refusals since the last line', () => {
    const { lines, time, refuse } = setUp();
    for (let i = 0; i < 600; i++) {
      time.ms = i * 250;
      refuse('192.0.2.1');
      refuse('192.0.2.2', { details: { relay: 'r1' } });
    }
    expect(lines.filter(({ sender }) => sender === '192.0.2.1')).toMatchObject([
      { level: 40, code: 'relay.network', msg: 'a scan was refused' },
      { moreSince: 239 },
      { moreSince: 239 },
    ]);
    expect(lines[0]).not.toHaveProperty('moreSince');
    expect(lines[1]).toMatchObject({ sender: '192.0.2.2', relay: 'r1' });
    expect(lines).toHaveLength(6);
  });

  it('an error of Scandesk’s own is logged though the sender has its log line of this minute', () => {
    const { lines, refuse } = setUp();
    refuse('192.0.2.1');
    refuse('192.0.2.1', { level: 'error', message: 'a scan could not be stored', code: 'store.full' });
    expect(lines.map(({ level }) => level)).toEqual([40, 50]);
  });

  it('refusals of more senders than can be remembered share one log line until a minute is over', () => {
    const { lines, time, refuse } = setUp();
    for (let i = 0; i < 50_000; i++) {
      refuse(`sender ${i}`);
    }
    expect(lines).toHaveLength(1_001);
    expect(lines.at(-1)).toMatchObject({ sender: 'others' });
    time.ms = 60_000;
    refuse('sender 49999');
    expect(lines.at(-1)).toMatchObject({ sender: 'sender 49999' });
  });

  it('refusals of senders that cannot be identified share one log line', () => {
    const { lines, refuse } = setUp();
    refuse();
    refuse();
    expect(lines).toMatchObject([{ sender: 'unknown' }]);
  });
});

/** The browser of a test run. */
import type { TestProject } from 'vitest/node';
import { startChromium } from './chromium.js';
import { offerServer } from './run-server.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where to ask for the browser's WebSocket endpoint. */
    readonly browserServer: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await offerServer<string>(async () => {
    const server = await startChromium();
    return { found: server.wsEndpoint(), stop: () => server.close() };
  });
  provide('browserServer', url);
  return stop;
}

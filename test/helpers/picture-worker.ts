/** Threads run JavaScript only: tests take the picture worker that `npm run build` made. */
export const builtPictureWorker = new URL('../../dist/worker.js', import.meta.url);

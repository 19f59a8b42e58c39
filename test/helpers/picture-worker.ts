/** Threads run JavaScript only: tests take the picture worker that `npm run build` has compiled. */
export const builtPictureWorker = new URL('../../dist/images/worker.js', import.meta.url);

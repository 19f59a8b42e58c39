/** What compose.yaml and the Dockerfile promise without being run; container.long.test.ts carries their steps out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', name), 'utf8');
const { services } = parse(read('compose.yaml')) as {
  services: Record<string, { image?: string; env_file?: string; environment: Record<string, unknown> }>;
};

test('every base image is pinned by its digest, and has a readable tag', () => {
  const images = [
    ...[...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map((match) => match[1]!),
    ...Object.values(services).flatMap(({ image }) => image ?? []),
  ];
  expect(images).toHaveLength(3);
  for (const image of images) {
    expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  }
});

test('the app’s container gets the PostgreSQL password in DATABASE_URL alone', () => {
  const { scandesk } = services;
  expect(scandesk?.env_file).toBe('.env');
  expect(scandesk?.environment.POSTGRES_PASSWORD).toBe('');
  const holders = Object.entries(scandesk!.environment).filter(([, value]) =>
    String(value).includes('POSTGRES_PASSWORD'),
  );
  expect(holders.map(([name]) => name)).toEqual(['DATABASE_URL']);
});

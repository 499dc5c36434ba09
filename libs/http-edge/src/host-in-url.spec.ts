import { expect, it } from 'vitest';
import { hostInUrl } from './host-in-url.js';

it.each(['127.0.0.1', 'localhost', '::1', '::'])('writes %s so that a URL holds it', (host) => {
  expect(new URL(`http://${hostInUrl(host)}:80`).hostname.replace(/[[\]]/g, '')).toBe(host);
});

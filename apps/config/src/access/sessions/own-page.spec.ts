import { describe, expect, it } from 'vitest';
import { refuseForeignPages } from './own-page.js';

const HOST = 'hooks.example.com';
const refuses = (method: string, headers: Record<string, string>): boolean => {
  try {
    refuseForeignPages({ method, host: HOST, headers });
    return false;
  } catch {
    return true;
  }
};

describe('a call with a cookie', () => {
  it.each([
    ['a reading one of the own page', 'GET', { 'sec-fetch-site': 'same-origin' }],
    ['an address typed by hand', 'GET', { 'sec-fetch-site': 'none' }],
    ['an old browser that says nothing', 'GET', {}],
    [
      'a change of the own page',
      'POST',
      { 'x-dashboard': '1', origin: `https://${HOST}`, 'sec-fetch-site': 'same-origin' },
    ],
  ])('is answered: %s', (_name, method, headers) => {
    expect(refuses(method, headers)).toBe(false);
  });

  it.each([
    ['a change without the header', 'POST', { origin: `https://${HOST}`, 'sec-fetch-site': 'same-origin' }],
    [
      'a change of a page on another host of the same site',
      'POST',
      { 'x-dashboard': '1', 'sec-fetch-site': 'same-site' },
    ],
    ['a change of another origin', 'DELETE', { 'x-dashboard': '1', origin: 'https://evil.example' }],
    ['a change of a page without an origin', 'PATCH', { 'x-dashboard': '1', origin: 'null' }],
    ['another port of the same host', 'PUT', { 'x-dashboard': '1', origin: `https://${HOST}:8443` }],
    ['a change typed by hand', 'POST', { 'x-dashboard': '1', 'sec-fetch-site': 'none' }],
    ['reading for another site', 'GET', { 'sec-fetch-site': 'cross-site' }],
    ['reading for another origin', 'GET', { origin: 'https://evil.example' }],
  ])('is refused: %s', (_name, method, headers) => {
    expect(refuses(method, headers)).toBe(true);
  });
});

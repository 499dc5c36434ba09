import { validateSync } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { CreateDashboardCodeDto } from './dashboard.dto.js';

const takes = (host_url: unknown): boolean =>
  validateSync(Object.assign(new CreateDashboardCodeDto(), { form_id: 'f_1', host_url })).length === 0;

describe("the host product's page", () => {
  it.each(['https://app.example.com/forms?tab=1#hooks', 'http://localhost:3000/'])('may be %s', (url) => {
    expect(takes(url)).toBe(true);
  });

  it.each([
    ['a NUL, which the database can not store', 'https://app.example.com/\u0000'],
    ['a control character', 'https://app.example.com/\u001b[2J'],
    ['half a character', 'https://app.example.com/\ud800'],
    ['a line break', 'https://app.example.com/\n'],
    ['another scheme', 'javascript:alert(1)'],
    ['more than 2,048 characters', `https://app.example.com/${'x'.repeat(2_025)}`],
  ])('has not %s', (_what, url) => {
    expect(takes(url)).toBe(false);
  });
});

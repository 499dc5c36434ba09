import { chromiumProgram } from '@form-webhooks/local';
import { chromium, type Browser } from 'playwright-core';

/** Debian's Chromium, without a window; installed if there is none. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = await chromiumProgram((line) => console.log(line));
  // It is started beside services and other spec files.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args, timeout: 180_000 });
}

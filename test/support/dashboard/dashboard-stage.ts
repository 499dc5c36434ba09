import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { Receiver } from '../receiver.js';
import { Stack } from '../stack.js';
import { startBrowser } from './browser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** How long a browser beside other spec files may take for what a page is to show. */
const PATIENCE_MS = 60_000;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Who opens the dashboard, and with which browser. */
export interface Visit {
  readonly role?: 'owner' | 'viewer';
  readonly user?: string;
  readonly hostUrl?: string;
  readonly context?: BrowserContextOptions;
}

/** The whole product with a browser in front of it. */
export class DashboardStage {
  /** What no page may do: throw, break the content policy, or ask another origin. */
  readonly complaints: string[] = [];

  private constructor(
    readonly stack: Stack,
    readonly receiver: Receiver,
    readonly browser: Browser,
  ) {}

  static async open(env: Readonly<Record<string, string>>): Promise<DashboardStage> {
    const stack = await Stack.start({ env });
    return new DashboardStage(stack, await Receiver.start(), await startBrowser());
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.receiver.stop();
    await this.stack.stop();
  }

  /** A person's browser, signed in on a form as the host product does it. */
  async visit(formId: string, { role = 'owner', user = `u_${role}`, hostUrl, context }: Visit = {}): Promise<Page> {
    const browser = await this.browser.newContext({ locale: 'en-GB', ...context });
    browser.setDefaultTimeout(PATIENCE_MS);
    const page = await browser.newPage();
    this.watch(page);
    await page.goto(await this.linkTo(formId, { role, user, ...(hostUrl !== undefined && { hostUrl }) }));
    await page.getByRole('navigation').waitFor();
    return page;
  }

  /** Where the host product sends a person's browser. */
  async linkTo(formId: string, { role = 'owner', user = `u_${role}`, hostUrl }: Visit = {}): Promise<string> {
    const asked = { form_id: formId, user, role, ...(hostUrl !== undefined && { host_url: hostUrl }) };
    const { body } = await this.stack.api('POST', '/v1/dashboard/codes', asked);
    return `${this.stack.configUrl}${body.path}`;
  }

  /** Posts an event of the form, as the form service would. */
  async submit(
    formId: string,
    fields: object,
    submission = `s_${Math.random().toString(36).slice(2)}`,
  ): Promise<string> {
    const event = { event: 'submission.created', form_id: formId, submission_id: submission, fields };
    expect((await this.stack.post(JSON.stringify(event))).status).toBe(202);
    return submission;
  }

  private watch(page: Page): void {
    page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
    page.on('console', (message) => {
      // What the service refuses is told as an error too; those are the tests' business.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        this.complaints.push(`console: ${message.text()}`);
      }
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(this.stack.configUrl) && !/^(blob|data):/.test(url)) this.complaints.push(`request: ${url}`);
    });
  }
}

/** What a checker of accessibility finds in what is shown now: nothing. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  // Half a megabyte of code, which stays until the page is loaded anew.
  if (!(await page.evaluate(`typeof axe === 'object'`))) await page.evaluate(AXE);
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] })`,
  )) as AxeResults;
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  expect(found, where).toEqual([]);
}

/** Keeps what is shown now in the folder that `DASHBOARD_PICTURES` names, for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['DASHBOARD_PICTURES'];
  if (folder === undefined) return;
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 72, animations: 'disabled' });
}

import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DashboardStage, expectAccessible, picture } from '../support/dashboard/dashboard-stage.js';
import { answer, inTurn, type Behaviour } from '../support/receiver.js';

const FORM = 'f_dash';
const FIRST_LOAD_WITHIN_MS = 20_000;
vi.setConfig({ testTimeout: 120_000 });

let stage: DashboardStage;

beforeAll(async () => {
  stage = await DashboardStage.open({ RETRY_SCHEDULE: '1s,1h', RECONCILE_GRACE: '10m', REPLAY_RATE: '1' });
  await stage.stack.registerForm(FORM);
}, 240_000);
afterAll(() => stage.close());

const answering =
  (status: number, body: string | Buffer, type = 'text/html'): Behaviour =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(body);

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** Waits for the focus to be on a part of the page itself: what it was on has vanished. */
const focusIn = (page: Page, part: string) => page.locator(`${part}:focus`).waitFor({ state: 'attached' });

/** Keeps writes to an address from the service. @returns what lets them go */
async function heldBack(page: Page, address: string): Promise<() => void> {
  let letGo = (): void => undefined;
  const isWanted = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(address, async (route) => {
    if (route.request().method() === 'POST') await isWanted;
    await route.continue();
  });
  return letGo;
}

/** Leaves the dialog that shows a secret, and gives the secret. */
async function storeSecret(page: Page): Promise<string> {
  const secret = await page.locator('dialog .secret code').innerText();
  await page.getByLabel('I have stored it').check();
  await button(page, 'Done').click();
  return secret;
}

describe("an owner's story", () => {
  it('goes from an empty form to a test delivery whose signature she has verified herself', async () => {
    const url = stage.receiver.url('/story');
    const begun = performance.now();
    const page = await stage.visit(FORM);
    await page.getByText('No endpoint yet').waitFor();
    expect(performance.now() - begun).toBeLessThan(FIRST_LOAD_WITHIN_MS);
    expect(page.url()).not.toContain('code');
    await expectAccessible(page, 'an empty form');

    await button(page, 'Add endpoint').first().click();
    await page.getByLabel('URL').fill('https://127.0.0.1:1/');
    await button(page, 'Check and add').click();
    await page.getByText("This URL can't be used").waitFor();
    await expectAccessible(page, 'a refused URL');
    await page.getByLabel('URL').fill(url);
    await button(page, 'Check and add').click();
    await page.getByText('It is shown this once').waitFor();
    await expectAccessible(page, 'the secret');
    await picture(page, 'secret');
    expect(await button(page, 'Done').isDisabled()).toBe(true);
    const secret = await storeSecret(page);
    expect(secret).toMatch(/^whsec_/);

    await button(page, 'Send test').click();
    await page.getByText('Your server took it').waitFor();
    const [got] = stage.receiver.received('/story');
    const signature = String(got!.headers['x-service-signature']);
    expect(signature).toBe(createHmac('sha256', secret).update(got!.body).digest('hex'));
    await page.getByText('Check a request by hand').click();
    await page.getByLabel('Secrets', { exact: true }).fill(secret);
    await page.getByLabel('Body, exactly as received').fill(got!.body.toString('utf8'));
    await page.getByLabel('X-Service-Signature').fill(signature);
    await button(page, 'Check').last().click();
    await page.getByText('Genuine: it was signed').waitFor();
    await page.getByText('Headers, highest rate and retries').click();
    await expectAccessible(page, 'an endpoint');
    await picture(page, 'endpoint');
    await page.context().close();
  });

  it('finds out why deliveries fail, repairs it, and sends again what failed', async () => {
    const url = stage.receiver.url('/repair', inTurn(answering(401, 'who are you?', 'text/plain'), answer(200)));
    await stage.stack.createEndpoint(FORM, url);
    const submission = await stage.submit(FORM, { email: 'ada@example.com', order_no: 1 });
    const page = await stage.visit(FORM);
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await picture(page, 'log');
    await page.getByLabel('State').selectOption('failed');
    await page.waitForURL(/state=failed/);
    await page.getByRole('link', { name: submission }).click();
    await page.getByText('Your server refused it, so it is not tried again').waitFor();
    // A body comes with a call of its own.
    await page.locator('.delivery-panel').getByText('who are you?').waitFor();
    await expectAccessible(page, 'a delivery beside the log');
    await picture(page, 'delivery');
    await page.goBack();
    await button(page, 'Send again what matches').click();
    await page.getByText('1 delivery matches.').waitFor();
    await expectAccessible(page, 'sending again');
    const begin = await heldBack(page, '**/replays');
    await button(page, 'Send 1 delivery').click();
    await page.locator('dialog [aria-busy]').waitFor();
    await page.keyboard.press('Escape');
    expect(await button(page, 'Cancel').isDisabled()).toBe(true);
    begin();
    await page.getByText('All handed over').waitFor();
    await expectAccessible(page, 'a replay');
    await vi.waitFor(() => expect(stage.receiver.received('/repair')).toHaveLength(2), 30_000);
    await page.context().close();
  });

  it('changes the secret with an overlap, and is told which secrets sign', async () => {
    const url = stage.receiver.url('/rotation');
    const { id, secret: old } = await stage.stack.createEndpoint(FORM, url);
    const page = await stage.visit(FORM);
    await page.goto(`${stage.stack.configUrl}/dashboard/forms/${FORM}/endpoints/${id}`);
    await button(page, 'Prepare a new secret').click();
    await button(page, 'Prepare').last().click();
    const next = await storeSecret(page);
    await page.getByText('Prepared, without effect yet').waitFor();
    await button(page, 'Switch to the new secret').click();
    await expectAccessible(page, 'switching secrets');
    await button(page, 'Switch now').click();
    await page.getByText('The new secret signs now').first().waitFor();
    await page.getByText('Still signs beside it').waitFor();
    await button(page, 'Send test').click();
    await page.getByText('Your server took it').waitFor();
    const [got] = stage.receiver.received('/rotation');
    expect(got!.headers['x-service-signature']).toBe(createHmac('sha256', next).update(got!.body).digest('hex'));
    expect(String(got!.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(old).not.toBe(next);
    await page.context().close();
  });
});

describe('what is shown once', () => {
  const focused = (page: Page): Promise<string> => page.evaluate("document.activeElement.textContent ?? ''");

  it('is shown until she says that she has it, whatever she presses from when it was asked for', async () => {
    const page = await stage.visit(FORM);
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByRole('link', { name: 'Endpoints', exact: true }).click();
    const answer = await heldBack(page, '**/endpoints');
    await button(page, 'Add endpoint').first().click();
    await page.locator('dialog input:focus').waitFor();
    await page.keyboard.insertText(stage.receiver.url('/kept'));
    await button(page, 'Check and add').click();
    await page.getByText('Checking the URL').waitFor();
    expect(await button(page, 'Cancel').isDisabled()).toBe(true);
    expect(await page.locator('dialog').getByRole('button', { name: 'Close' }).count()).toBe(0);
    const leave = async (): Promise<void> => {
      for (const _ of [1, 2, 3]) await page.keyboard.press('Escape');
      await page.evaluate(
        'new Promise((done) => (addEventListener("popstate", done, { once: true }), history.back()))',
      );
      expect(await page.locator('dialog').isVisible()).toBe(true);
    };
    await leave();
    answer();
    await page.getByText('It is shown this once').waitFor();
    await leave();
    expect(await storeSecret(page)).toMatch(/^whsec_/);
    await button(page, 'Send test').waitFor();
    await page.context().close();
  });

  it('is made once, also when the answer got lost and she presses again, and says there that it was copied', async () => {
    const { id } = await stage.stack.createEndpoint(FORM, stage.receiver.url('/lost-answer'));
    const page = await stage.visit(FORM);
    const keys: (string | undefined)[] = [];
    await page.route('**/secret/regenerate', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.goto(`${stage.stack.configUrl}/dashboard/forms/${FORM}/endpoints/${id}`);
    await button(page, 'Switch to the new secret').click();
    await button(page, 'Switch now').click();
    await page.locator('dialog').getByText("The service can't be reached").waitFor();
    await button(page, 'Switch now').click();
    await button(page, 'Copy secret').click();
    await page.locator('dialog [role="status"]', { hasText: /^Copied/ }).waitFor({ state: 'attached' });
    await storeSecret(page);
    expect(keys[0]).toBeDefined();
    expect(keys).toEqual([keys[0], keys[0]]);
    const { body } = await stage.stack.api('GET', `/v1/forms/${FORM}/endpoints/${id}/secret`);
    expect(body.previous).toHaveLength(1);
    await page.context().close();
  });

  it('leaves the focus on what opened it, and a new view takes it', async () => {
    await stage.stack.createEndpoint(FORM, stage.receiver.url('/focus'));
    const page = await stage.visit(FORM);
    await page.getByRole('link', { name: 'Open' }).first().click();
    await button(page, 'Prepare a new secret').waitFor();
    await focusIn(page, '#view');
    await button(page, 'Prepare a new secret').click();
    await page.locator('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await vi.waitFor(async () => expect(await focused(page)).toBe('Prepare a new secret'), 20_000);
    await page.context().close();
  });
});

describe('an endpoint', () => {
  it('has a heading before it is there, and brings to sight what keeps it from being saved', async () => {
    const { id } = await stage.stack.createEndpoint(FORM, stage.receiver.url('/hidden-fault'));
    const page = await stage.visit(FORM);
    let answer = (): void => undefined;
    const isWanted = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**/v1/forms/${FORM}/endpoints/${id}`, async (route) => {
      await isWanted;
      await route.continue();
    });
    await page.goto(`${stage.stack.configUrl}/dashboard/forms/${FORM}/endpoints/${id}`);
    await page.getByRole('heading', { name: 'Endpoint', level: 1, exact: true }).waitFor();
    expect(await page.title()).toContain('Endpoint');
    answer();
    const summary = page.getByText('Headers, highest rate and retries');
    await summary.click();
    await button(page, 'Add header').click();
    await summary.click();
    await page.locator('details.advanced:not([open])').waitFor();
    await button(page, 'Save').click();
    await page.locator('details.advanced[open] input[aria-label="Name of the header"]:focus').waitFor();
    await expectAccessible(page, 'a header that is not written yet');
    await button(page, /^Remove/).click();
    await focusIn(page, '.advanced fieldset');
    await page.context().close();
  });
});

describe('a viewer', () => {
  it('sees everything and is offered no change', async () => {
    const page = await stage.visit(FORM, { role: 'viewer' });
    await page.getByText('You can look at everything here').waitFor();
    await picture(page, 'viewer');
    expect(await button(page, 'Add endpoint').count()).toBe(0);
    await page.getByRole('link', { name: 'Open' }).first().click();
    await page.getByLabel('URL').waitFor();
    expect(await page.getByLabel('URL').isDisabled()).toBe(true);
    for (const name of ['Save', 'Delete endpoint', 'Send test', 'Switch off', 'Prepare a new secret']) {
      expect(await button(page, name).count(), name).toBe(0);
    }
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.locator('.row-link').first().click();
    await page.getByText('What people submitted is not shown to viewers.').first().waitFor();
    await expectAccessible(page, "a viewer's delivery");
    await page.context().close();
  });
});

describe('two people', () => {
  it('who edit the same endpoint write over nothing of each other', async () => {
    const { id } = await stage.stack.createEndpoint(FORM, stage.receiver.url('/two'), { description: 'first' });
    const page = await stage.visit(FORM);
    await page.goto(`${stage.stack.configUrl}/dashboard/forms/${FORM}/endpoints/${id}`);
    await page.getByLabel('Description').fill('mine');
    await stage.stack.api('PATCH', `/v1/forms/${FORM}/endpoints/${id}`, { description: 'theirs' });
    await button(page, 'Save').click();
    await page.getByText('Somebody else has changed this endpoint meanwhile').waitFor();
    const told = page.locator('.notice table');
    await told.getByText('theirs').waitFor();
    expect(await told.innerText()).toContain('mine');
    await expectAccessible(page, 'a conflict');
    await picture(page, 'conflict');
    await button(page, 'Save mine').click();
    await vi.waitFor(async () => {
      const { body } = await stage.stack.api('GET', `/v1/forms/${FORM}/endpoints/${id}`);
      expect(body.description).toBe('mine');
    }, 20_000);
    await page.context().close();
  });
});

describe('two people who edit different fields', () => {
  it('both keep what they wrote, without being asked, and who saved stays where she was', async () => {
    const { id } = await stage.stack.createEndpoint(FORM, stage.receiver.url('/both'), { description: 'first' });
    const page = await stage.visit(FORM);
    await page.goto(`${stage.stack.configUrl}/dashboard/forms/${FORM}/endpoints/${id}`);
    await page.getByLabel('Description').fill('mine');
    await stage.stack.api('PATCH', `/v1/forms/${FORM}/endpoints/${id}`, { rate_limit: 7, events: ['draft.resumed'] });
    await button(page, 'Save').click();
    await vi.waitFor(async () => {
      const { body } = await stage.stack.api('GET', `/v1/forms/${FORM}/endpoints/${id}`);
      expect(body).toMatchObject({ description: 'mine', rate_limit: 7, events: ['draft.resumed'] });
    }, 20_000);
    await page.locator('button.idle', { hasText: 'Save' }).waitFor();
    expect(await page.getByText('Somebody else has changed').count()).toBe(0);
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent');
    await vi.waitFor(async () => expect(await focused()).toBe('Save'), 20_000);
    await page.context().close();
  });
});

describe('what strangers wrote', () => {
  it('is shown as text, whatever it is', async () => {
    const evil = '<script>window.hacked=1</script><img src=x onerror="window.hacked=1">\u001b[2J\u202egpj.exe';
    await stage.stack.registerForm('f_evil');
    await stage.stack.createEndpoint('f_evil', stage.receiver.url('/evil', answering(422, evil)), {
      description: '<b>bold</b> \u202e',
    });
    // As much as is taken: 1 MiB, of members and of entries of a list, each a line of its own when it is formatted.
    const many = Object.fromEntries(Array.from({ length: 6_500 }, (_, n) => [`k${n}`, evil]));
    const list = Array.from({ length: 100_000 }, (_, n) => n % 1_000);
    const submission = await stage.submit('f_evil', { ...many, order_no: 1, list });
    const page = await stage.visit('f_evil');
    await page.getByText('<b>bold</b>').first().waitFor();
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByRole('link', { name: submission }).click();
    await page.getByText('Your server refused it, so it is not tried again').waitFor();
    // What was sent is long, so it comes when it is asked for; what came back is there.
    await button(page, 'Show body').click();
    await page.locator('.body-view pre').nth(1).waitFor();
    await focusIn(page, '.attempt section[role="group"]');
    // Laid out is only what is in sight; what stands there is all of it, a moment after its place is there.
    const shown = await vi.waitFor(async () => {
      const texts = (await page.locator('.body-view pre').allTextContents()).join('\n');
      expect(texts).toContain('<script>window.hacked=1</script>');
      return texts;
    }, 20_000);
    expect(shown).toContain('⟦U+202E⟧gpj.exe');
    expect(shown).not.toMatch(/[\u001b\u202e]/);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('main script, main img').count()).toBe(0);
    await expectAccessible(page, 'hostile bodies');
    await button(page, /^Show the other/).click();
    // Not by a function of the page's: asked a second time, its text would be evaluated, which the page's policy refuses.
    await vi.waitFor(async () => {
      const texts = (await page.locator('.body-view pre').allTextContents()).join('\n');
      expect(texts).toMatch(/\b998,\s+999\s+\]/);
    }, 20_000);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await page.context().close();
  }, 180_000);
});

describe('the log of a busy form', () => {
  const BUSY = 'f_busy';
  const ROWS = 60;
  const view = (path: string): string => `${stage.stack.configUrl}/dashboard/forms/${BUSY}/${path}`;
  const failed = async (): Promise<{ readonly delivery_id: string; readonly submission_id: string }[]> =>
    (await stage.stack.api('GET', `/v1/forms/${BUSY}/deliveries?state=failed&limit=100`)).body.items;

  /** A form of which as many deliveries have failed; its receiver takes what comes from then on. */
  beforeAll(async () => {
    await stage.stack.registerForm(BUSY);
    await stage.stack.createEndpoint(BUSY, stage.receiver.url('/busy', answer(401)));
    for (let n = 0; n < ROWS; n++) await stage.submit(BUSY, { n });
    await vi.waitFor(async () => expect(await failed()).toHaveLength(ROWS), 60_000);
    stage.receiver.url('/busy', answer(200));
  });

  it('leads back to what is being sent again, which can be stopped there', async () => {
    const filter = { state: 'failed' };
    expect((await stage.stack.api('POST', `/v1/forms/${BUSY}/replays`, { filter })).status).toBe(202);
    const page = await stage.visit(BUSY);
    await page.goto(view('deliveries'));
    const newest = page.locator('p.row', { hasText: 'Being sent again' });
    await newest.getByText('Under way').waitFor();
    await newest.getByRole('link').click();
    await button(page, 'Stop').click();
    await page.locator('[role="status"]').getByText('Stopped').waitFor();
    await focusIn(page, 'section[aria-label="Sending again"]');
    await page.getByRole('link', { name: 'Deliveries', exact: true }).first().click();
    await page.locator('p.row', { hasText: 'Sent again last' }).getByText('Stopped').waitFor();
    expect((await failed()).length).toBeGreaterThan(0);
    await page.context().close();
  });

  it('moves nothing while it is scrolled: what is new waits behind a button', async () => {
    const page = await stage.visit(BUSY);
    await page.goto(view('deliveries'));
    await page.locator('.row-link').first().waitFor();
    const log = `document.querySelector('.log-scroll')`;
    await page.evaluate(`${log}.scrollTo({ top: 400 })`);
    const submission = await stage.submit(BUSY, { n: ROWS });
    await button(page, '1 new delivery').waitFor();
    expect(await page.evaluate(`${log}.scrollTop`)).toBe(400);
    await button(page, '1 new delivery').click();
    await page.getByRole('link', { name: submission }).waitFor();
    await focusIn(page, 'section.log-box');
    expect(await page.evaluate(`${log}.scrollTop`)).toBe(0);
    await page.context().close();
  });

  it('stays paused when it is filtered otherwise', async () => {
    const page = await stage.visit(BUSY);
    await page.goto(view('deliveries'));
    await button(page, 'Pause').click();
    await page.getByLabel('State').selectOption('delivered');
    await page.waitForURL(/state=delivered/);
    await page.locator('.row-link').first().waitFor();
    expect(await button(page, 'Go on').isVisible()).toBe(true);
    await page.context().close();
  });

  it('asks for a further page that can not be read only when she presses, and says when it is old', async () => {
    const page = await stage.visit(BUSY);
    let asked = 0;
    // Only further pages are as large; the first can need a cursor too, if the search was slow.
    await page.route(/\/deliveries\?.*limit=100/, (route) => {
      asked += 1;
      return asked > 2 ? route.continue() : route.fulfill({ status: 500, json: {} });
    });
    await page.goto(view('deliveries'));
    await page.locator('.row-link').first().waitFor();
    await page.evaluate(`document.querySelector('.log-scroll').scrollTo({ top: 2_000 })`);
    const problem = page.getByText('The service could not do it');
    await problem.waitFor();
    expect(asked).toBe(1);
    await button(page, 'Try again').click();
    await vi.waitFor(() => expect(asked).toBe(2), 30_000);
    await button(page, 'Try again').click();
    await problem.waitFor({ state: 'detached' });

    // What is newest alone: a further page that failed is asked for again by who presses, and the words would stay.
    await page.route(/\/deliveries\?.*limit=50/, (route) => route.abort());
    await stage.submit(BUSY, { n: ROWS + 1 });
    const stale = page.getByText('what you see is as it was before');
    await stale.waitFor();
    await page.unrouteAll();
    await stage.submit(BUSY, { n: ROWS + 2 });
    await stale.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('asks nothing about another delivery, or another filter, when she goes back while it asks', async () => {
    const deliveries = await vi.waitFor(async () => {
      const found = await failed();
      expect(found.length).toBeGreaterThan(1);
      return found.slice(0, 2);
    }, 20_000);
    const page = await stage.visit(BUSY);
    await page.goto(view('deliveries?state=failed'));
    const panel = page.locator('.delivery-panel');
    // The headers of an attempt have it too.
    const isShown = (id: string) => panel.getByText(id, { exact: true }).first().waitFor();
    // Both were seen, so that going back brings the first without a question.
    for (const { delivery_id: id } of deliveries) {
      await page.locator(`.row-link[data-delivery="${id}"]`).click();
      await isShown(id);
    }
    const dialog = page.locator('dialog');
    await panel.getByRole('button', { name: 'Send again', exact: true }).click();
    await dialog.waitFor();
    await page.goBack();
    await isShown(deliveries[0]!.delivery_id);
    await dialog.waitFor({ state: 'detached' });

    await page.getByLabel('State').selectOption('delivered');
    await button(page, 'Send again what matches').click();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('loses a row by itself that matches its filter no more', async () => {
    // A page of a slow search may be empty.
    const newest = await vi.waitFor(async () => {
      const [one] = await failed();
      expect(one).toBeDefined();
      return one!;
    }, 20_000);
    const page = await stage.visit(BUSY);
    await page.goto(view('deliveries?state=failed'));
    const row = page.getByRole('link', { name: newest.submission_id });
    await row.waitFor();
    const path = `/v1/forms/${BUSY}/deliveries/${newest.delivery_id}/replay`;
    expect((await stage.stack.api('POST', path)).status).toBe(202);
    await row.waitFor({ state: 'detached' });
    await page.context().close();
  });
});

describe('what opens when it is pressed', () => {
  const view = (path: string): string => `${stage.stack.configUrl}/dashboard/forms/${FORM}/${path}`;

  it('is accessible on an endpoint: fields of a test, the end of an overlap, why it is off, its end', async () => {
    const { id } = await stage.stack.createEndpoint(FORM, stage.receiver.url('/opened'));
    await stage.submit(FORM, { nickname: 'Grace' });
    await vi.waitFor(() => expect(stage.receiver.received('/opened')).toHaveLength(1), 20_000);
    const page = await stage.visit(FORM);
    await page.goto(view(`endpoints/${id}`));
    await page.getByText("Write the form's fields yourself").click();
    await button(page, "Take this form's fields").click();
    await page.getByText('Names as in the newest submission').waitFor();
    expect(await page.getByLabel('Fields, as JSON').inputValue()).not.toContain('Grace');
    await expectAccessible(page, 'the fields of a test');
    await page.getByLabel('Fields, as JSON').fill('{');
    await page.getByText("Write the form's fields yourself").click();
    await button(page, 'Send test').click();
    await page.locator('details[open] textarea[aria-invalid]:focus').waitFor();
    await button(page, 'Switch to the new secret').click();
    await button(page, 'Switch now').click();
    await storeSecret(page);
    await button(page, 'Change its end').click();
    await expectAccessible(page, 'the end of an overlap');
    await button(page, 'Cancel').click();
    await button(page, 'Switch off').click();
    await expectAccessible(page, 'switching off');
    await button(page, 'Switch off').last().click();
    await page.getByText('Off since').waitFor();
    await button(page, 'Delete endpoint').first().click();
    await expectAccessible(page, 'deleting an endpoint that is off');
    await page.context().close();
  });

  it('asks anew when it asks again: what went wrong before is not said of it', async () => {
    const { id } = await stage.stack.createEndpoint(FORM, stage.receiver.url('/asked-again'));
    const page = await stage.visit(FORM);
    await page.goto(view(`endpoints/${id}`));
    await page.route(`**/endpoints/${id}`, (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    );
    const dialog = page.locator('dialog');
    const problem = dialog.getByText("The service can't be reached");
    await button(page, 'Delete endpoint').click();
    await dialog.getByRole('button', { name: 'Delete endpoint' }).click();
    await problem.waitFor();
    await button(page, 'Cancel').click();
    await button(page, 'Delete endpoint').click();
    await dialog.waitFor();
    expect(await problem.count()).toBe(0);
    await page.context().close();
  });

  it('is accessible in the log, whose first pages can be empty: filters, a comparison, what can be done', async () => {
    const url = stage.receiver.url('/twice', inTurn(answering(503, 'not now', 'text/plain'), answer(200)));
    const { id } = await stage.stack.createEndpoint(FORM, url);
    const submission = await stage.submit(FORM, { n: 1 });
    await vi.waitFor(() => expect(stage.receiver.received('/twice')).toHaveLength(2), 30_000);
    const page = await stage.visit(FORM);
    let empty = 2;
    await page.route(/\/deliveries\?.*limit=/, (route) => {
      if (empty-- > 0) return route.fulfill({ json: { items: [], next_cursor: 'later' } });
      return route.continue({ url: route.request().url().replace('&cursor=later', '') });
    });
    await page.goto(view(`deliveries?endpoint_id=${id}&min_attempts=2`));
    await page.getByRole('link', { name: submission }).waitFor();
    expect(empty).toBeLessThan(0);
    await expectAccessible(page, 'the filters of the log');
    await page.getByRole('link', { name: submission }).click();
    await page.locator('.delivery-panel').getByText('First byte').first().waitFor();
    await page.getByText('Compare two attempts').click();
    await page.getByText('What differs').waitFor();
    await expectAccessible(page, 'two attempts compared');
    await button(page, 'Send again').last().click();
    await expectAccessible(page, 'sending one again');
    await button(page, 'Cancel').click();
    await page.goBack();
    await vi.waitFor(async () => {
      const focused = await page.evaluate("document.activeElement.textContent ?? ''");
      expect(focused, 'the focus is back on its row').toContain(submission);
    }, 30_000);
    await page.context().close();
  });

  it('is drawn by the clocks of the viewer, in charts of a zone that is half an hour off', async () => {
    await stage.stack.createEndpoint(FORM, stage.receiver.url('/zone'));
    await stage.submit(FORM, { n: 1 });
    const page = await stage.visit(FORM, { context: { timezoneId: 'Asia/Kolkata' } });
    await page.goto(view('statistics?range=month'));
    await page.getByText('The same as a table').first().click();
    const first = page.locator('.chart tbody th a').first();
    const from = new URL((await first.getAttribute('href'))!, 'http://page').searchParams.get('from')!;
    const shownThere = (Date.parse(from) + 5.5 * 3_600_000) % (6 * 3_600_000);
    expect(shownThere, from).toBe(0);
    expect(await first.innerText()).toMatch(/\b(?:00|06|12|18):00\b/);
    await page.context().close();
  });

  it('is accessible in statistics and audit log: tables of charts, a file', async () => {
    const page = await stage.visit(FORM);
    await page.goto(view('statistics'));
    await page.locator('.chart').first().waitFor();
    for (const table of await page.getByText('The same as a table').all()) await table.click();
    await expectAccessible(page, 'charts as tables');
    await page.getByRole('link', { name: 'Audit log' }).click();
    const file = page.waitForEvent('download');
    await button(page, 'Download as CSV').click();
    expect((await file).suggestedFilename()).toBe(`audit-${FORM}.csv`);
    await page.getByText('in the file').waitFor();
    await expectAccessible(page, 'the audit log as a file');
    await page.goto(view('nowhere'));
    await page.getByText('There is nothing at this address').waitFor();
    expect(await page.title()).toContain('There is nothing at this address');
    await expectAccessible(page, 'an address that leads nowhere');
    await page.context().clearCookies();
    await page.goto(view('audit'));
    await page.getByText('You are not signed in').waitFor();
    await expectAccessible(page, 'nobody');
    await page.context().close();
  });
});

describe('every other view', () => {
  it('is accessible in dark, in German and on a telephone too', async () => {
    const page = await stage.visit(FORM, {
      context: { colorScheme: 'dark', locale: 'de-DE', viewport: { width: 390, height: 844 } },
    });
    await page.getByRole('heading', { name: 'Endpunkte', level: 1 }).waitFor();
    await page.locator('.card').first().waitFor();
    await expectAccessible(page, 'Endpunkte');
    await picture(page, 'phone-Endpunkte');
    for (const [link, seen] of [
      ['Zustellungen', '.row-link'],
      ['Statistik', '.chart'],
      ['Protokoll', 'main table'],
      ['Zugang', '#api-keys'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.locator(seen).first().waitFor();
      await expectAccessible(page, link);
      await picture(page, `phone-${link}`);
      expect(await page.evaluate('document.documentElement.scrollWidth'), link).toBeLessThanOrEqual(390);
    }
    await button(page, 'Schlüssel erzeugen').click();
    await page.getByLabel('Name').waitFor();
    await expectAccessible(page, 'a new key');
    await page.context().close();
  });
});

describe('a failing endpoint', () => {
  it('fits a page as narrow as there is, with the words of its state in German', async () => {
    const narrow = 'f_narrow';
    await stage.stack.registerForm(narrow);
    const description = 'x'.repeat(300);
    await stage.stack.createEndpoint(narrow, stage.receiver.url('/narrow', answer(401)), { description });
    await stage.submit(narrow, { n: 1 });
    const context = { locale: 'de-DE', viewport: { width: 320, height: 700 } };
    const page = await stage.visit(narrow, { context });
    await page.locator('.card .mark.bad').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await picture(page, 'narrow');
    await page.getByRole('link', { name: 'Öffnen' }).click();
    await page.locator('.lead', { hasText: description }).waitFor();
    const lead = `document.querySelector('.lead')`;
    expect(await page.evaluate(`${lead}.scrollWidth - ${lead}.clientWidth`)).toBe(0);
    await page.context().close();
  });
});

describe('an open page', () => {
  it('does not look signed out while nobody knows whether it is', async () => {
    const page = await stage.visit(FORM);
    await page.route('**/v1/dashboard/session', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    );
    await button(page, 'Sign out').click();
    await page.getByText('You may still be signed in here').waitFor();
    await expectAccessible(page, 'a sign-out that failed');
    await page.unrouteAll();
    await button(page, 'Sign out').click();
    await page.getByText('You are not signed in').waitFor();
    await page.context().close();
  });

  it('goes on by itself when config was restarted, and keeps what was typed when its session ends', async () => {
    const { id } = await stage.stack.createEndpoint(FORM, stage.receiver.url('/restart'));
    const page = await stage.visit(FORM, { hostUrl: 'http://127.0.0.1:9/host' });
    await page.goto(`${stage.stack.configUrl}/dashboard/forms/${FORM}/endpoints/${id}`);
    await page.getByLabel('Description').fill('typed before');
    const config = stage.stack.service('config');
    await config.stop();
    await config.start();
    expect(await page.getByLabel('Description').inputValue()).toBe('typed before');

    await page.evaluate(`fetch('/v1/dashboard/session', { method: 'DELETE', headers: { 'x-dashboard': '1' } })`);
    // The page finds out by itself; what she was about to press can be pressed all the same.
    await stage.stack.createEndpoint(FORM, stage.receiver.url('/while-away'));
    await page.getByText('Your session ends').waitFor();
    await button(page, 'Save').click();
    await expectAccessible(page, 'the end of a session');
    expect(await page.getByRole('link', { name: 'Open it again' }).getAttribute('href')).toBe(
      'http://127.0.0.1:9/host',
    );
    const other = await page.context().newPage();
    await other.goto(await stage.linkTo(FORM));
    await other.getByRole('navigation').waitFor();
    await page.getByText('Your session ends').waitFor({ state: 'detached' });
    await button(page, 'Save').click();
    await vi.waitFor(async () => {
      const { body } = await stage.stack.api('GET', `/v1/forms/${FORM}/endpoints/${id}`);
      expect(body.description).toBe('typed before');
    }, 20_000);
    await page.context().close();
  });

  it('says that a view could not be loaded, keeps what was typed, and shows the view once it can be', async () => {
    const { id } = await stage.stack.createEndpoint(FORM, stage.receiver.url('/lazy'));
    const page = await stage.visit(FORM);
    const told = stage.complaints.length;
    await page.route(/statistics-view/, (route) => route.abort());
    await page.goto(`${stage.stack.configUrl}/dashboard/forms/${FORM}/endpoints/${id}`);
    await page.getByLabel('Description').fill('typed before');
    await page.getByRole('link', { name: 'Statistics', exact: true }).click();
    await page.getByText('Its code could not be loaded').waitFor();
    await expectAccessible(page, 'a view that could not be loaded');
    await page.unrouteAll();
    await button(page, 'Try again').click();
    await page.getByRole('heading', { name: 'Statistics', level: 1 }).waitFor();
    await page.goBack();
    expect(await page.getByLabel('Description').inputValue()).toBe('typed before');
    const ofTheView = stage.complaints.splice(told);
    expect(ofTheView.filter((one) => !one.includes('The code of a view could not be loaded'))).toEqual([]);
    await page.context().close();
  });

  it('has thrown nothing, broken no policy and asked nobody else, in all of this', () => {
    expect(stage.complaints).toEqual([]);
  });
});

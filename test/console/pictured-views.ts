import { namesFor } from '@orch/machinery';
import type { Page } from 'playwright-core';

/** A page of the console, of which `docs/console` has a picture in each color scheme. */
export interface PicturedView {
  readonly name: string;
  readonly fragment: string;
  /** The element that is there when the page is complete. */
  readonly selector: string;
  /** Where the picture begins; at the beginning of the page when absent. */
  readonly top?: string;
  /** Brings the page into the state that the picture shows. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click();

/** The pages and the larger parts of them. */
export const picturedViews: readonly PicturedView[] = [
  { name: 'list', fragment: '#/configmaps?namespace=default', selector: 'tbody a' },
  { name: 'object', fragment: '#/deployments.apps/default/web', selector: '.yaml' },
  {
    ...{ name: 'form', fragment: '#/deployments.apps/default/web', selector: '.object-form' },
    top: '.schema:has(> .form-field [aria-label="spec.replicas"])',
    async prepare(page) {
      await page.getByLabel('Form', { exact: true }).check();
      await press(page, 'Edit');
      await page.locator('summary', { hasText: 'About replicas' }).click();
    },
  },
  {
    ...{ name: 'history', fragment: '#/deployments.apps/default/web', top: '.moments' },
    selector: '.moments .cm-line',
    async prepare(page) {
      await page.locator('summary', { hasText: 'Compare and restore' }).click();
    },
  },
  {
    ...{ name: 'log', fragment: '#/pods/default/one', selector: '.lines', top: 'section:has(.lines)' },
    prepare: (page) => press(page, 'Show the log'),
  },
  {
    ...{ name: 'shell', fragment: '#/pods/default/one', selector: '.xterm-rows', top: 'section:has(.xterm)' },
    async prepare(page) {
      await page.locator('.shell input').fill('cat');
      await press(page, 'Run in the container');
      await page.locator('.shell [role=status]', { hasText: 'Connected' }).waitFor();
      await page.keyboard.type('hello');
      await page.keyboard.press('Enter');
      await page.locator('.xterm-rows', { hasText: 'hello' }).waitFor();
    },
  },
  {
    name: 'definition',
    fragment: `#/customresourcedefinitions.${namesFor('orch').group('apiextensions')}/things.example.com`,
    selector: '.schema p',
    top: 'section:has(.schema)',
    async prepare(page) {
      for (const title of ['Schema of v1', 'spec: object', 'size: integer, required'])
        await page.locator('summary', { hasText: title }).click();
    },
  },
  {
    name: 'permissions',
    fragment: '#/~access?verb=delete&resource=pods&namespace=default&user=reader',
    selector: '#who li',
  },
  { name: 'timeline', fragment: '#/~timeline?namespace=default', selector: '.events li' },
  { name: 'extensions', fragment: '#/~extensions', selector: '#refused details' },
  { name: 'why', fragment: '#/configmaps/default/held', selector: '.causes li' },
  {
    ...{ name: 'ports', fragment: '#/pods/default/one', top: 'section:has(#ports-title)' },
    selector: '#ports-title ~ ul a',
    prepare: (page) => press(page, 'Open port 80 on this machine'),
  },
  { name: 'requests', fragment: '#/~requests', selector: '#refused details' },
  { name: 'health', fragment: '#/~health', selector: '[aria-label="Sizes"] tr' },
  { name: 'login', fragment: '#/pods', selector: '.login' },
];

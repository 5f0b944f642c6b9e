import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface Page {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One request without redirections. */
export function load(
  url: string,
  options: { readonly ca?: string; readonly headers?: Record<string, string>; readonly form?: string } = {},
): Promise<Page> {
  const { ca, headers = {}, form } = options;
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const type = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const method = form === undefined ? 'GET' : 'POST';
    const sent = send(
      url,
      { method, agent: false, headers: { ...type, ...headers }, ...(ca && { ca }) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(form);
  });
}

/**
 * A user in a browser: follows redirections with cookies, and submits each form, as user `name`. Resolves with the address and
 * content of the first page without a form; does not load pages for which `stopAt` holds.
 */
export async function browse(
  start: string,
  { ca, name, stopAt = () => false }: { ca: string; name: string; stopAt?: (url: string) => boolean },
): Promise<{ readonly url: string; readonly page: Page | undefined }> {
  const cookies = new Map<string, string>();
  let [url, form]: [string, string | undefined] = [start, undefined];
  for (let step = 0; step < 20; step++) {
    if (stopAt(url)) return { url, page: undefined };
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const headers = { accept: 'text/html', ...(cookie !== '' && { cookie }) };
    const page = await load(url, { ca, headers, ...(form !== undefined && { form }) });
    for (const text of page.headers['set-cookie'] ?? []) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (value === '') cookies.delete(key);
      else cookies.set(key, value);
    }
    const { location } = page.headers;
    const action = /<form[^>]*action="([^"]+)"/.exec(page.text)?.[1];
    if (location === undefined && action === undefined) return { url, page };
    form = location === undefined ? fieldsOf(page.text, name) : undefined;
    url = new URL(location ?? action ?? '', url).href;
  }
  throw new Error('the provider does not come to an end');
}

function fieldsOf(html: string, name: string): string {
  const fields = new URLSearchParams();
  for (const [input] of html.matchAll(/<input[^>]*>/g)) {
    const attribute = (key: string): string => new RegExp(`${key}="([^"]*)"`).exec(input)?.[1] ?? '';
    if (attribute('name') !== '') fields.set(attribute('name'), attribute('value'));
  }
  if (fields.has('login')) fields.set('login', name);
  if (fields.has('password')) fields.set('password', 'x');
  return fields.toString();
}

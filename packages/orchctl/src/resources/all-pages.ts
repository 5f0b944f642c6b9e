import { isExpired } from '@orch/client';

/**
 * All pages of a list. When the state of the pages expires on the way (410), the list is read again at once, without pages.
 */
export async function allPages<Page>(
  limit: number,
  pages: (limit: { readonly limit?: number }) => AsyncIterable<Page>,
): Promise<readonly Page[]> {
  try {
    return await collected(pages(limit > 0 ? { limit } : {}));
  } catch (error) {
    if (limit === 0 || !isExpired(error)) throw error;
    return collected(pages({}));
  }
}

async function collected<Page>(pages: AsyncIterable<Page>): Promise<readonly Page[]> {
  const all: Page[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareSchema } from '../database/schema.ts';
import { openConnection, PAGE_BYTES } from '../database/sqlite.ts';

const CACHE_BYTES = 1024 * 1024;
const NO_IDENTITY = '0'.repeat(32);
/** Fields of the header of a database (sqlite.org/fileformat.html). */
const PAGES_OFFSET = 28;
const FREELIST_OFFSET = 32;

/**
 * The first page of a database, with the location of its tables. Every store has created its tables in the same order
 * in an empty database, so that their root pages are those of a new one. (In a store of an earlier version the
 * identity table is elsewhere; it is not read here.)
 */
export function freshFirstPage(work: string, pages: number): Buffer {
  const path = join(work, 'first-page.db');
  rmSync(path, { force: true });
  const db = openConnection(path, CACHE_BYTES);
  try {
    prepareSchema(db, path, NO_IDENTITY);
  } finally {
    db.close();
  }
  const page = readFileSync(path).subarray(0, PAGE_BYTES);
  page.writeUInt32BE(pages, PAGES_OFFSET);
  // The free list is not needed for reading.
  page.fill(0, FREELIST_OFFSET, FREELIST_OFFSET + 8);
  return page;
}

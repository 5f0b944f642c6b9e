/** The built page, for the programs that serve it. */
export { type PageFile, readPageFiles } from './page-files.ts';
export { dataPolicy, pageFields, pagePolicy } from './page-headers.ts';

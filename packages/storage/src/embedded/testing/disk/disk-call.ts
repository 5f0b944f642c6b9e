/** A system call that changes what a directory of files contains, or makes it durable. Files are relative to the directory. */
export type DiskCall =
  | { readonly kind: 'create'; readonly file: string }
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'append'; readonly file: string; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly size: number }
  | { readonly kind: 'rename'; readonly file: string; readonly to: string }
  | { readonly kind: 'remove'; readonly file: string }
  /** The changes of the file before the call with the number `from` are durable. The file `.` is the directory. */
  | { readonly kind: 'sync'; readonly file: string; readonly from: number }
  /** The process has reported an outcome. */
  | { readonly kind: 'report'; readonly line: string };

/** The directory itself. */
export const DIRECTORY = '.';

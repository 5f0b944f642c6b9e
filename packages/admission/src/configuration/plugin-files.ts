/** Reads a file; throws the error of the file system. */
export type ReadFile = (path: string) => string;

/** A file that the configuration of a plugin names. */
export interface PluginFile<T> {
  /** The plugin whose configuration names the file. */
  readonly plugin: string;
  readonly path: string;
  /** Parses its text; `readFile` reads the files that it names in turn. Throws when it is invalid. */
  readonly read: (text: string, readFile: ReadFile) => T;
}

/** The last valid content of a file; the value changes with the file. */
export interface CurrentContent<T> {
  readonly current: T;
}

/**
 * Reads a file, and reads it again whenever it or a file that it names has changed; while these are invalid the previous content
 * remains. Throws when the file cannot be read, and what `read` throws.
 */
export type OpenPluginFile = <T>(file: PluginFile<T>) => CurrentContent<T>;

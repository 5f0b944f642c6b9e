import { bundleKilobytes, type Comparison, importMillis, sourceFile } from './measure.ts';

/** The size that a SOCKS5 client adds to a program, and the cost of loading the library. */
export const socks = (): readonly Comparison[] => [
  {
    what: 'size of the SOCKS5 client, minified',
    ours: bundleKilobytes(sourceFile('packages/client/src/transport/socks5.ts'), 'socks5'),
    library: 'socks',
    theirs: bundleKilobytes('socks', 'SocksClient'),
    unit: 'kB',
  },
  { what: 'load the library', ours: 0, library: 'socks', theirs: importMillis('socks'), unit: 'ms' },
];

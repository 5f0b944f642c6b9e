import { describeEveryKind } from './every-kind.ts';

describeEveryKind('kubernetes', [
  { release: '1.15', storedAs: 'json' },
  { release: '1.17', storedAs: 'json' },
  { release: '1.19', storedAs: 'protobuf' },
  { release: '1.21', storedAs: 'protobuf' },
  { release: '1.23', storedAs: 'json' },
  { release: '1.25', storedAs: 'protobuf' },
  { release: '1.27', storedAs: 'protobuf' },
  { release: '1.33', storedAs: 'json' },
]);

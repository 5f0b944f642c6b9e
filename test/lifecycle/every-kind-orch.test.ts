import { describeEveryKind } from './every-kind.ts';

describeEveryKind('orch', [
  { release: '1.16', storedAs: 'protobuf' },
  { release: '1.18', storedAs: 'json' },
  { release: '1.20', storedAs: 'json' },
  { release: '1.22', storedAs: 'json' },
  { release: '1.24', storedAs: 'json' },
  { release: '1.26', storedAs: 'json' },
  { release: '1.30', storedAs: 'protobuf' },
  { release: '1.37', storedAs: 'protobuf' },
]);

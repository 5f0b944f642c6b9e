import { describeEveryKind } from './every-kind.ts';

describeEveryKind([
  { release: '1.15', naming: 'kubernetes', storedAs: 'json' },
  { release: '1.16', naming: 'orch', storedAs: 'protobuf' },
  { release: '1.17', naming: 'kubernetes', storedAs: 'json' },
  { release: '1.18', naming: 'orch', storedAs: 'json' },
  { release: '1.19', naming: 'kubernetes', storedAs: 'protobuf' },
  { release: '1.20', naming: 'orch', storedAs: 'json' },
]);

import { describeEveryKind } from './every-kind.ts';

describeEveryKind([
  { release: '1.21', naming: 'kubernetes', storedAs: 'protobuf' },
  { release: '1.22', naming: 'orch', storedAs: 'json' },
  { release: '1.23', naming: 'kubernetes', storedAs: 'json' },
  { release: '1.24', naming: 'orch', storedAs: 'json' },
  { release: '1.25', naming: 'kubernetes', storedAs: 'protobuf' },
  { release: '1.26', naming: 'orch', storedAs: 'json' },
  { release: '1.27', naming: 'kubernetes', storedAs: 'protobuf' },
]);

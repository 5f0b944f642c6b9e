import { describePrintedObjects } from './printed-objects.ts';

describePrintedObjects({ release: '1.24', naming: 'kubernetes', fieldValidation: 'Warn' });
describePrintedObjects({ release: '1.24', naming: 'orch', fieldValidation: 'Ignore' });

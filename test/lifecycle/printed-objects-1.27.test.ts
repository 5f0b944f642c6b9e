import { describePrintedObjects } from './printed-objects.ts';

describePrintedObjects({ release: '1.27', naming: 'orch', fieldValidation: 'Strict' });

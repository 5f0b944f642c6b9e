import { testSeeds } from '../seed-tests.ts';

testSeeds(501, 1000);

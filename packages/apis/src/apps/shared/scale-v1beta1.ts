import { olderScale } from './scale.ts';

export const Scale = olderScale('apps.v1beta1');

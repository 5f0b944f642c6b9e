import { olderScale } from '../../extensions/v1beta1/scale.ts';

export const Scale = olderScale('apps.v1beta1');

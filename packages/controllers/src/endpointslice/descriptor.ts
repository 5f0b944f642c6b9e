import type { ControllerDescriptor } from '../descriptor.ts';
import { endpointSliceController } from './controller.ts';

/** The first 1.x release that serves discovery/v1. */
const SINCE_MINOR = 21;

export const endpointSlice: ControllerDescriptor = {
  name: 'endpointslice',
  serviceAccount: 'endpointslice-controller',
  onByDefault: false,
  build: (context, { release }) =>
    release.major > 1 || release.minor >= SINCE_MINOR
      ? [endpointSliceController(context)]
      : 'the release does not serve discovery/v1',
};

import type { ControllerDescriptor } from '../descriptor.ts';
import { isSince } from '../since-release.ts';
import { claimProtectionController } from './claims-controller.ts';
import { classProtectionController } from './classes-controller.ts';
import { volumeProtectionController } from './volumes-controller.ts';

/** The first 1.x release whose claims tell since when they are unused. */
const UNUSED_SINCE_MINOR = 37;

const CLASS_GATE = 'VolumeAttributesClass';
/** The first 1.x release whose VolumeAttributesClasses are protected behind their feature gate, a beta one. */
const CLASSES_SINCE_MINOR = 32;
/** The first 1.x release in which that feature gate is on by default. */
const CLASSES_DEFAULT_SINCE_MINOR = 34;

export const pvcProtection: ControllerDescriptor = {
  name: 'pvc-protection',
  serviceAccount: 'pvc-protection-controller',
  onByDefault: true,
  build: (context, { release }) => [
    claimProtectionController(context, { tracksUse: isSince(release, UNUSED_SINCE_MINOR) }),
  ],
};

export const pvProtection: ControllerDescriptor = {
  name: 'pv-protection',
  serviceAccount: 'pv-protection-controller',
  onByDefault: true,
  build: (context) => [volumeProtectionController(context)],
};

export const vacProtection: ControllerDescriptor = {
  name: 'volumeattributesclass-protection-controller',
  serviceAccount: 'volumeattributesclass-protection-controller',
  onByDefault: true,
  build(context, { release, featureGate }) {
    if (!isSince(release, CLASSES_SINCE_MINOR)) return 'the release does not protect VolumeAttributesClasses';
    const isEnabled =
      featureGate(CLASS_GATE) ?? (isSince(release, CLASSES_DEFAULT_SINCE_MINOR) || featureGate('AllBeta'));
    return isEnabled ? [classProtectionController(context)] : `the feature gate ${CLASS_GATE} is disabled`;
  },
};

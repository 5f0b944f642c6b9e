import type { Ingress } from '@orch/kinds/networking';
import { type DefaultClassParts, defaultClassPlugin } from '../shared/default-class.ts';
import type { AdmissionPlugin, ResourceTarget } from '../types.ts';

const handles = ({ operation, group, resource, subresource }: ResourceTarget): boolean =>
  operation === 'CREATE' &&
  resource === 'ingresses' &&
  (group === 'networking' || group === 'extensions') &&
  subresource === '';

/** `DefaultIngressClass`: new Ingresses without a class get the default one. */
export function defaultIngressClass(parts: DefaultClassParts): AdmissionPlugin {
  const { defaultIngressClass, ingressClass } = parts.names.annotations;
  return defaultClassPlugin<Ingress>(
    {
      name: 'DefaultIngressClass',
      handles,
      field: 'ingressClassName',
      annotation: ingressClass,
      classes: {
        resource: 'ingressclasses.networking',
        plural: 'IngressClasses',
        rule: ', only 1 allowed',
        annotations: [defaultIngressClass],
      },
    },
    parts,
  );
}

import type { Draft } from '@orch/apis/types/draft';
import type { Ingress } from '@orch/apis/types/networking';
import { type ClassKind, defaultClasses, newestOf } from '../shared/default-class.ts';
import type { DefaultClassParts } from '../storage/default-storage-class.ts';
import type { AdmissionPlugin, WriteTarget } from '../types.ts';

const handles = ({ operation, group, resource, subresource }: WriteTarget): boolean =>
  operation === 'CREATE' &&
  resource === 'ingresses' &&
  (group === 'networking' || group === 'extensions') &&
  subresource === '';

/** `DefaultIngressClass`: new Ingresses that name no class get the default one. */
export function defaultIngressClass({
  source,
  names,
  refusesSeveralDefaults,
}: DefaultClassParts): AdmissionPlugin {
  const kind: ClassKind = {
    resource: 'ingressclasses.networking',
    annotations: [names.annotations.defaultIngressClass],
  };
  return {
    name: 'DefaultIngressClass',
    handles,
    mutate({ object }) {
      const ingress = object as Draft<Ingress>;
      const named = ingress.metadata.annotations?.[names.annotations.ingressClass];
      if (ingress.spec?.ingressClassName !== undefined || named !== undefined) return undefined;
      const classes = defaultClasses(source, kind);
      if (classes.length > 1 && refusesSeveralDefaults)
        return `${classes.length} default IngressClasses were found`;
      const name = newestOf(classes)?.metadata.name;
      if (name !== undefined) ingress.spec = { ...ingress.spec, ingressClassName: name };
      return undefined;
    },
  };
}

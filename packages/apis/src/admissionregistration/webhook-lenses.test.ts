import { describeLensLaws } from '../testing/lens-laws.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from './shared/webhook-configuration/webhook-configuration.ts';

describeLensLaws(mutatingWebhookConfigurations);
describeLensLaws(validatingWebhookConfigurations);

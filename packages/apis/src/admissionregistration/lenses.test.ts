import { describeLensLaws } from '../testing/lens-laws.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from './v1/webhook-configuration.ts';

describeLensLaws(mutatingWebhookConfigurations);
describeLensLaws(validatingWebhookConfigurations);

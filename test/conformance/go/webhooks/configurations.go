package main

import (
	"orch.example/test/conformance/go/databases"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

const (
	mutatingName   = "mutate.stable.example.com"
	validatingName = "validate.stable.example.com"
)

// configurations are as kubebuilder generates them; envtest replaces the service by the address of this process.
func configurations() *envtest.WebhookInstallOptions {
	none := admissionv1.SideEffectClassNone
	return &envtest.WebhookInstallOptions{
		MutatingWebhooks: []*admissionv1.MutatingWebhookConfiguration{{
			ObjectMeta: metav1.ObjectMeta{Name: "mutating-webhook-configuration"},
			Webhooks: []admissionv1.MutatingWebhook{{
				Name:                    mutatingName,
				ClientConfig:            clientConfig("/mutate-stable-example-com-v1-database"),
				Rules:                   rules(admissionv1.Create, admissionv1.Update),
				SideEffects:             &none,
				AdmissionReviewVersions: []string{"v1"},
			}},
		}},
		ValidatingWebhooks: []*admissionv1.ValidatingWebhookConfiguration{{
			ObjectMeta: metav1.ObjectMeta{Name: "validating-webhook-configuration"},
			Webhooks: []admissionv1.ValidatingWebhook{{
				Name:                    validatingName,
				ClientConfig:            clientConfig("/validate-stable-example-com-v1-database"),
				Rules:                   rules(admissionv1.Create, admissionv1.Update, admissionv1.Delete),
				SideEffects:             &none,
				AdmissionReviewVersions: []string{"v1"},
			}},
		}},
	}
}

func clientConfig(path string) admissionv1.WebhookClientConfig {
	return admissionv1.WebhookClientConfig{
		Service: &admissionv1.ServiceReference{Namespace: "system", Name: "webhook-service", Path: &path},
	}
}

func rules(operations ...admissionv1.OperationType) []admissionv1.RuleWithOperations {
	return []admissionv1.RuleWithOperations{{
		Operations: operations,
		Rule: admissionv1.Rule{
			APIGroups:   []string{databases.GroupVersion.Group},
			APIVersions: []string{databases.GroupVersion.Version},
			Resources:   []string{"databases"},
		},
	}}
}

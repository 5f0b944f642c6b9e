// Package databases has the custom resource that operators and webhooks of this module are for.
package databases

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the version of the definition.
var GroupVersion = schema.GroupVersion{Group: "stable.example.com", Version: "v1"}

// Spec is the wanted state of a Database.
type Spec struct {
	Engine   string `json:"engine"`
	Replicas *int32 `json:"replicas,omitempty"`
	Owner    string `json:"owner,omitempty"`
}

// Status is the observed state of a Database.
type Status struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Replicas           int32              `json:"replicas,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// Database is a custom resource.
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec   `json:"spec"`
	Status            Status `json:"status,omitempty"`
}

// DatabaseList is a list of Databases.
type DatabaseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Database `json:"items"`
}

// DeepCopy copies everything that is shared by reference.
func (in *Database) DeepCopy() *Database {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if in.Spec.Replicas != nil {
		replicas := *in.Spec.Replicas
		out.Spec.Replicas = &replicas
	}
	out.Status.Conditions = nil
	for i := range in.Status.Conditions {
		out.Status.Conditions = append(out.Status.Conditions, *in.Status.Conditions[i].DeepCopy())
	}
	return &out
}

// DeepCopyObject implements runtime.Object.
func (in *Database) DeepCopyObject() runtime.Object { return in.DeepCopy() }

// DeepCopyObject implements runtime.Object.
func (in *DatabaseList) DeepCopyObject() runtime.Object {
	out := *in
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = nil
	for i := range in.Items {
		out.Items = append(out.Items, *in.Items[i].DeepCopy())
	}
	return &out
}

// AddToScheme registers the types of the version.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Database{}, &DatabaseList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"orch.example/test/conformance/go/databases"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const (
	operationLabel = "stable.example.com/operation"
	keepLabel      = "stable.example.com/keep"
	mostReplicas   = 3
)

// reviews are those that the webhooks have received, one line each.
type reviews struct {
	mutex sync.Mutex
	lines []string
}

func (r *reviews) add(ctx context.Context, phase string) (admissionv1.AdmissionRequest, error) {
	request, err := admission.RequestFromContext(ctx)
	if err != nil {
		return admissionv1.AdmissionRequest{}, err
	}
	line := fmt.Sprintf("%s %s %s", phase, request.Operation, request.Name)
	if request.DryRun != nil && *request.DryRun {
		line += " dry run"
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.lines = append(r.lines, line)
	return request.AdmissionRequest, nil
}

// take returns the reviews since the last call.
func (r *reviews) take() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	lines := r.lines
	r.lines = nil
	return lines
}

// defaulter makes the user of the request the owner, and adds a label with the operation.
type defaulter struct{ seen *reviews }

// Default implements admission.Defaulter.
func (d *defaulter) Default(ctx context.Context, database *databases.Database) error {
	request, err := d.seen.add(ctx, "mutate")
	if err != nil {
		return err
	}
	if database.Spec.Owner == "" {
		database.Spec.Owner = request.UserInfo.Username
	}
	if database.Labels == nil {
		database.Labels = map[string]string{}
	}
	database.Labels[operationLabel] = string(request.Operation)
	return nil
}

// validator limits the replicas, keeps the engine as it is, and protects objects with a label from deletion.
type validator struct{ seen *reviews }

// ValidateCreate implements admission.Validator.
func (v *validator) ValidateCreate(ctx context.Context, database *databases.Database) (admission.Warnings, error) {
	if _, err := v.seen.add(ctx, "validate"); err != nil {
		return nil, err
	}
	return limits(database)
}

// ValidateUpdate implements admission.Validator.
func (v *validator) ValidateUpdate(ctx context.Context, old, database *databases.Database) (admission.Warnings, error) {
	if _, err := v.seen.add(ctx, "validate"); err != nil {
		return nil, err
	}
	if old.Spec.Engine != database.Spec.Engine {
		detail := fmt.Sprintf("the engine is %s and cannot be changed", old.Spec.Engine)
		return nil, apierrors.NewInvalid(
			databases.GroupVersion.WithKind("Database").GroupKind(),
			database.Name,
			field.ErrorList{field.Forbidden(field.NewPath("spec", "engine"), detail)},
		)
	}
	return limits(database)
}

// ValidateDelete implements admission.Validator.
func (v *validator) ValidateDelete(ctx context.Context, database *databases.Database) (admission.Warnings, error) {
	if _, err := v.seen.add(ctx, "validate"); err != nil {
		return nil, err
	}
	if _, isKept := database.Labels[keepLabel]; isKept {
		return nil, errors.New("it has the label " + keepLabel)
	}
	return nil, nil
}

func limits(database *databases.Database) (admission.Warnings, error) {
	if database.Spec.Owner == "" {
		return nil, errors.New("it has no owner")
	}
	switch replicas := *database.Spec.Replicas; {
	case replicas > mostReplicas:
		return nil, fmt.Errorf("%d replicas, of at most %d", replicas, mostReplicas)
	case replicas == 0:
		return admission.Warnings{"a database without replicas stores nothing"}, nil
	}
	return nil, nil
}

// Command pod-security evaluates pods against the Pod Security Standards with the library of the reference API server. It
// reads cases as JSON lines and prints the violations of each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

type testCase struct {
	Level   string     `json:"level"`
	Version string     `json:"version"`
	Pod     corev1.Pod `json:"pod"`
}

type observation struct {
	Reasons string `json:"reasons"`
	Details string `json:"details"`
}

func main() {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	exitOn(err)
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 64<<20)
	output := json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	for input.Scan() {
		var each testCase
		exitOn(json.Unmarshal(input.Bytes(), &each))
		level, err := api.ParseLevel(each.Level)
		exitOn(err)
		version, err := api.ParseVersion(each.Version)
		exitOn(err)
		found := policy.AggregateCheckResults(evaluator.EvaluatePod(
			api.LevelVersion{Level: level, Version: version}, &each.Pod.ObjectMeta, &each.Pod.Spec))
		exitOn(output.Encode(observation{found.ForbiddenReason(), found.ForbiddenDetail()}))
	}
	exitOn(input.Err())
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Command envtest-start starts the control plane of envtest, and reports what the start cost.
//
// Usage: KUBEBUILDER_ASSETS=<folder with etcd and kube-apiserver> envtest-start
//
// The costs are one JSON object: wallMs until envtest is ready, the CPU time cpuMs of the programs that it started, and
// their resident memory memoryMiB.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"orch.example/test/conformance/go/harness"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// ticksPerSecond is the unit of times in /proc: USER_HZ, which is 100 on every architecture of Linux that Go supports.
const ticksPerSecond = 100

type costs struct {
	WallMs    float64 `json:"wallMs"`
	CPUMs     float64 `json:"cpuMs"`
	MemoryMiB float64 `json:"memoryMiB"`
}

func main() {
	ctrl.SetLogger(logr.Discard())
	environment := &envtest.Environment{}
	started := time.Now()
	_, err := environment.Start()
	harness.Check(err)
	start := costs{WallMs: float64(time.Since(started).Microseconds()) / 1000}
	for _, process := range children(os.Getpid()) {
		start.CPUMs += process.cpuMs
		start.MemoryMiB += process.memoryMiB
	}
	harness.Check(environment.Stop())
	harness.Check(json.NewEncoder(os.Stdout).Encode(start))
}

type process struct{ cpuMs, memoryMiB float64 }

// children returns the running processes that were started by the process parent.
func children(parent int) []process {
	var found []process
	paths, err := filepath.Glob("/proc/[0-9]*/stat")
	harness.Check(err)
	for _, path := range paths {
		// A process may end between the two calls.
		if text, err := os.ReadFile(path); err == nil {
			if child, of := parse(string(text)); of == parent {
				found = append(found, child)
			}
		}
	}
	if len(found) < 2 {
		harness.Check(fmt.Errorf("envtest runs %d programs, expected etcd and kube-apiserver", len(found)))
	}
	return found
}

// parse reads a line of /proc/PID/stat: the process, and the number of its parent. See proc_pid_stat(5).
func parse(stat string) (process, int) {
	// The name of the program, in parentheses, may contain spaces. The field after it is the third.
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	field := func(number int) float64 {
		value, err := strconv.ParseFloat(fields[number-3], 64)
		harness.Check(err)
		return value
	}
	const parent, userTime, systemTime, residentPages = 4, 14, 15, 24
	return process{
		cpuMs:     (field(userTime) + field(systemTime)) * 1000 / ticksPerSecond,
		memoryMiB: field(residentPages) * float64(os.Getpagesize()) / (1 << 20),
	}, int(field(parent))
}

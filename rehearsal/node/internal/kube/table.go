package kube

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/duration"
)

type column struct {
	name string
	wide bool
	cell func(o *object) any
}

var (
	nameColumn = column{"Name", false, func(o *object) any { return o.GetName() }}
	ageColumn  = column{"Age", false, func(o *object) any {
		return duration.HumanDuration(time.Since(o.GetCreationTimestamp().Time))
	}}
)

var columns = map[string][]column{
	"Node": {
		nameColumn, {"Status", false, nodeStatus}, {"Roles", false, nodeRoles}, ageColumn, text("Version", false, "status", "nodeInfo", "kubeletVersion"),
		{"Internal-IP", true, func(o *object) any { return addressOf(o, "InternalIP") }},
		{"External-IP", true, func(o *object) any { return addressOf(o, "ExternalIP") }},
		text("OS-Image", true, "status", "nodeInfo", "osImage"), text("Kernel-Version", true, "status", "nodeInfo", "kernelVersion"),
		text("Container-Runtime", true, "status", "nodeInfo", "containerRuntimeVersion"),
	},
	"Pod": {
		nameColumn, {"Ready", false, podReady}, text("Status", false, "status", "phase"),
		{"Restarts", false, func(*object) any { return "0" }}, ageColumn,
		text("IP", true, "status", "podIP"), text("Node", true, "spec", "nodeName"),
	},
	"Deployment": {
		nameColumn, {"Ready", false, func(o *object) any {
			return fmt.Sprintf("%d/%d", number(o, "status", "readyReplicas"), number(o, "spec", "replicas"))
		}}, count("Up-to-date", "status", "updatedReplicas"), count("Available", "status", "availableReplicas"), ageColumn,
	},
	"DaemonSet": {
		nameColumn, count("Desired", "status", "desiredNumberScheduled"), count("Current", "status", "currentNumberScheduled"),
		count("Ready", "status", "numberReady"), count("Up-to-date", "status", "updatedNumberScheduled"),
		count("Available", "status", "numberAvailable"), ageColumn,
	},
}

func text(name string, wide bool, path ...string) column {
	return column{name, wide, func(o *object) any {
		value, _, _ := unstructured.NestedString(o.Object, path...)
		if value == "" {
			return "<none>"
		}

		return value
	}}
}

func count(name string, path ...string) column {
	return column{name, false, func(o *object) any { return number(o, path...) }}
}

func number(o *object, path ...string) int64 {
	value, _, _ := unstructured.NestedInt64(o.Object, path...)

	return value
}

// tableOf makes the table that kubectl prints, when the request wants one.
func tableOf(r *http.Request, kind Kind, objects []object, version string) (*metav1.Table, bool) {
	shown, ok := columns[kind.Kind]
	if !ok || !strings.Contains(r.Header.Get("Accept"), "as=Table") {
		return nil, false
	}

	table := &metav1.Table{TypeMeta: metav1.TypeMeta{Kind: "Table", APIVersion: "meta.k8s.io/v1"}}
	table.ResourceVersion = version

	for _, c := range shown {
		definition := metav1.TableColumnDefinition{Name: c.name, Type: "string"}
		if c.wide {
			definition.Priority = 1
		}

		if c.name == "Name" {
			definition.Format = "name"
		}

		table.ColumnDefinitions = append(table.ColumnDefinitions, definition)
	}

	for _, o := range objects {
		row := metav1.TableRow{}
		for _, c := range shown {
			row.Cells = append(row.Cells, c.cell(&o))
		}

		row.Object.Object = &o
		table.Rows = append(table.Rows, row)
	}

	return table, true
}

func nodeStatus(o *object) any {
	status := "Unknown"

	switch conditionOf(o, "Ready") {
	case "True":
		status = "Ready"
	case "False", "Unknown":
		status = "NotReady"
	}

	if off, _, _ := unstructured.NestedBool(o.Object, "spec", "unschedulable"); off {
		status += ",SchedulingDisabled"
	}

	return status
}

func nodeRoles(o *object) any {
	var roles []string

	for label := range o.GetLabels() {
		if role, ok := strings.CutPrefix(label, "node-role.kubernetes.io/"); ok {
			roles = append(roles, role)
		}
	}

	if len(roles) == 0 {
		return "<none>"
	}

	slices.Sort(roles)

	return strings.Join(roles, ",")
}

func podReady(o *object) any {
	ready := 0
	if conditionOf(o, "Ready") == "True" {
		ready = 1
	}

	return fmt.Sprintf("%d/1", ready)
}

func conditionOf(o *object, kind string) string {
	list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, item := range list {
		if condition, ok := item.(map[string]any); ok && condition["type"] == kind {
			return fmt.Sprint(condition["status"])
		}
	}

	return ""
}

func addressOf(o *object, kind string) any {
	list, _, _ := unstructured.NestedSlice(o.Object, "status", "addresses")
	for _, item := range list {
		if address, ok := item.(map[string]any); ok && address["type"] == kind {
			return address["address"]
		}
	}

	return "<none>"
}

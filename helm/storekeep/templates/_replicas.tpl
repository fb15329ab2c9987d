{{/*
The replicas of a Deployment. Empty for an autoscaler outside the chart (`replicaCount: null`). With autoscaling, the current number is kept: if it were omitted, Kubernetes would reset it to
one in the release that enables autoscaling. Empty if no Deployment exists yet, or for tools that render without access to the
cluster, where a fixed number would undo the autoscaler's work. Takes component and live, the existing Deployment.
*/}}
{{- define "storekeep.replicas" -}}
{{- if not .component.autoscaling.enabled -}}
{{- .component.replicaCount -}}
{{- else if .live -}}
{{- max (.live.spec.replicas | int) (.component.autoscaling.minReplicas | int) -}}
{{- end -}}
{{- end -}}

{{/* Whether the chart sets the number of pods, and no autoscaler. Takes the component. */}}
{{- define "storekeep.hasFixedReplicas" -}}
{{- if not .autoscaling.enabled -}}
{{- kindIs "string" .replicaCount | ternary "" "true" -}}
{{- end -}}
{{- end -}}

{{/* The maximum number of pods of a component. */}}
{{- define "storekeep.maxReplicas" -}}
{{- include "storekeep.hasFixedReplicas" . | empty | ternary .autoscaling.maxReplicas .replicaCount | int -}}
{{- end -}}

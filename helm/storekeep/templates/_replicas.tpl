{{/*
How many pods a Deployment asks for. With autoscaling that is how many there are: without a number Kubernetes would take one,
at the release that switches autoscaling on, until the autoscaler has looked again. Nothing where there is no Deployment
yet, and for tools that render without asking the cluster: a number of theirs would undo what the autoscaler does.
Takes component and live, the Deployment in the cluster.
*/}}
{{- define "storekeep.replicas" -}}
{{- if not .component.autoscaling.enabled -}}
{{- .component.replicas -}}
{{- else if .live -}}
{{- max (.live.spec.replicas | int) (.component.autoscaling.minReplicas | int) -}}
{{- end -}}
{{- end -}}

{{/* How many pods of a component there may be at once. */}}
{{- define "storekeep.mostReplicas" -}}
{{- .autoscaling.enabled | ternary .autoscaling.maxReplicas .replicas | int -}}
{{- end -}}

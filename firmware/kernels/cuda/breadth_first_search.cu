// SPDX-License-Identifier: Apache-2.0
// One level of a breadth-first search in a graph of adjacency lists: the nodes of the frontier
// give their neighbours the next distance, then the new frontier is made.  A node has its first edge
// and how many it has, side by side as in Rodinia.
struct Node {
  int first;
  int count;
};

extern "C" __global__ void bfs_visit(const Node* graph, const int* edges,
                                     unsigned char* frontier, unsigned char* updated,
                                     const unsigned char* visited, int* distance, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || !frontier[node]) return;
  frontier[node] = 0;
  const int first = graph[node].first;
  const int end = first + graph[node].count;
  for (int i = first; i < end; ++i) {
    const int neighbour = edges[i];
    if (visited[neighbour]) continue;
    distance[neighbour] = distance[node] + 1;
    updated[neighbour] = 1;
  }
}

extern "C" __global__ void bfs_advance(unsigned char* frontier, unsigned char* updated,
                                       unsigned char* visited, int* again, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || !updated[node]) return;
  frontier[node] = 1;
  visited[node] = 1;
  updated[node] = 0;
  *again = 1;
}

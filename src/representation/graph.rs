//! The neighbourhood graph of Isomap and the shortest paths in it.

use super::neighbours::Neighbours;
use crate::linalg::squared_distances;
use ndarray::{Array2, ArrayView2, Axis};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// An undirected graph with edge lengths.
pub(super) struct Graph {
    edges: Vec<Vec<(usize, f64)>>,
}

impl Graph {
    /// An edge wherever one row is among the nearest neighbours of the other.
    pub fn of_neighbours(neighbours: &Neighbours) -> Self {
        let mut edges = vec![Vec::new(); neighbours.index.nrows()];
        for (i, (near, distance)) in
            neighbours.index.rows().into_iter().zip(neighbours.distance.rows()).enumerate()
        {
            for (j, length) in near.iter().zip(distance) {
                edges[i].push((*j, *length));
                edges[*j].push((i, *length));
            }
        }
        Self { edges }
    }

    /// The number of the connected component of each node, in order of their first nodes.
    pub fn components(&self) -> Vec<usize> {
        let mut component = vec![usize::MAX; self.edges.len()];
        let mut count = 0;
        for start in 0..self.edges.len() {
            if component[start] != usize::MAX {
                continue;
            }
            let mut pending = vec![start];
            component[start] = count;
            while let Some(node) = pending.pop() {
                for (next, _) in &self.edges[node] {
                    if component[*next] == usize::MAX {
                        component[*next] = count;
                        pending.push(*next);
                    }
                }
            }
            count += 1;
        }
        component
    }

    /// Joins every two components by an edge between their closest rows.
    pub fn join(&mut self, x: ArrayView2<f64>, component: &[usize]) {
        let count = component.iter().max().map_or(0, |last| last + 1);
        let members = |c: usize| (0..component.len()).filter(|i| component[*i] == c).collect::<Vec<_>>();
        for c in 0..count {
            let ours = members(c);
            for other in 0..c {
                let theirs = members(other);
                let squares =
                    squared_distances(x.select(Axis(0), &ours).view(), x.select(Axis(0), &theirs).view());
                // Of equally close pairs the first: indexed_iter goes row by row.
                let closest = squares.indexed_iter().reduce(|a, b| if b.1 < a.1 { b } else { a });
                let ((i, j), square) = closest.expect("components are not empty");
                self.edges[ours[i]].push((theirs[j], square.sqrt()));
                self.edges[theirs[j]].push((ours[i], square.sqrt()));
            }
        }
    }

    /// The length of the shortest path between any two nodes (Dijkstra from each); `unreachable`
    /// where there is none.
    pub fn shortest_paths(&self, unreachable: f64) -> Array2<f64> {
        let n = self.edges.len();
        let mut lengths = Array2::from_elem((n, n), f64::INFINITY);
        let mut frontier = BinaryHeap::new();
        for (source, mut length) in lengths.rows_mut().into_iter().enumerate() {
            let length = length.as_slice_mut().expect("rows are contiguous");
            length[source] = 0.0;
            frontier.push(Reached { length: 0.0, node: source });
            while let Some(Reached { length: so_far, node }) = frontier.pop() {
                if so_far > length[node] {
                    continue; // reached by a shorter path in the meantime
                }
                for (next, edge) in &self.edges[node] {
                    let via = so_far + edge;
                    if via < length[*next] {
                        length[*next] = via;
                        frontier.push(Reached { length: via, node: *next });
                    }
                }
            }
        }
        lengths.mapv_inplace(|l| if l.is_finite() { l } else { unreachable });
        lengths
    }
}

/// A node and the length of a path to it, ordered so that the heap gives the shortest first.
#[derive(PartialEq)]
struct Reached {
    length: f64,
    node: usize,
}

impl Eq for Reached {}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        other.length.total_cmp(&self.length).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::super::neighbours::among;
    use super::*;
    use crate::seed::Seed;
    use ndarray_rand::RandomExt;
    use rand_distr::StandardUniform;

    #[test]
    fn shortest_paths_equal_those_of_floyd_and_warshall() {
        let mut rng = Seed::new(2).rng();
        let x = Array2::random_using((60, 2), StandardUniform, &mut rng);
        let graph = Graph::of_neighbours(&among(x.view(), 3));
        let n = x.nrows();
        let mut expected = Array2::from_elem((n, n), f64::INFINITY);
        for i in 0..n {
            expected[[i, i]] = 0.0;
            for (j, length) in &graph.edges[i] {
                expected[[i, *j]] = f64::min(expected[[i, *j]], *length);
            }
        }
        for via in 0..n {
            for i in 0..n {
                for j in 0..n {
                    expected[[i, j]] = f64::min(expected[[i, j]], expected[[i, via]] + expected[[via, j]]);
                }
            }
        }
        let found = graph.shortest_paths(f64::INFINITY);
        assert!(found.iter().zip(&expected).all(|(f, e)| f == e || (f - e).abs() < 1e-14));
    }

    #[test]
    fn components_are_found_and_joined_by_their_closest_rows() {
        let x = ndarray::array![[0.0], [1.0], [10.0], [11.5]];
        let mut graph = Graph::of_neighbours(&among(x.view(), 1));
        let component = graph.components();
        assert_eq!(component, [0, 0, 1, 1]);
        assert_eq!(graph.shortest_paths(0.0)[[0, 3]], 0.0);
        graph.join(x.view(), &component);
        assert_eq!(graph.shortest_paths(0.0)[[0, 3]], 1.0 + 9.0 + 1.5);
    }
}
